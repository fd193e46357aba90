// When rows must not move: while the reader has scrolled away, marks words, points at rows, walks them with the keyboard,
// or has asked for it.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

const TOP_PX = 4
/** A pointer that rests for so long is taken to be forgotten there. */
const POINTING_MS = 1_500

export function useHold(list: RefObject<HTMLElement | null>) {
  const [isPaused, setPaused] = useState(false)
  const [isScrolled, setScrolled] = useState(false)
  const isPointing = usePointing(list)
  const isMarking = useMarking(list)
  useEffect(() => {
    const element = list.current
    if (element === null) return
    const look = () => setScrolled(element.scrollTop > TOP_PX)
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [list])
  const togglePause = useCallback(() => setPaused((now) => !now), [])
  return { isPaused, togglePause, isDisturbable: !isPaused && !isScrolled && !isPointing && !isMarking }
}

function usePointing(list: RefObject<HTMLElement | null>): boolean {
  const [isPointing, setPointing] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => {
    const element = list.current
    if (element === null) return
    const rest = () => setPointing(false)
    const move = ({ pointerType }: PointerEvent) => {
      // A finger that moves scrolls.
      if (pointerType === 'touch') return
      setPointing(true)
      clearTimeout(timer.current)
      timer.current = setTimeout(rest, POINTING_MS)
    }
    element.addEventListener('pointermove', move, { passive: true })
    element.addEventListener('pointerleave', rest)
    return () => {
      clearTimeout(timer.current)
      element.removeEventListener('pointermove', move)
      element.removeEventListener('pointerleave', rest)
    }
  }, [list])
  return isPointing
}

function useMarking(list: RefObject<HTMLElement | null>): boolean {
  const [isMarking, setMarking] = useState(false)
  useEffect(() => {
    const look = () => setMarking(hasMarked(list.current))
    document.addEventListener('selectionchange', look)
    return () => document.removeEventListener('selectionchange', look)
  }, [list])
  return isMarking
}

/** Whether words in the element are marked. */
export function hasMarked(element: HTMLElement | null): boolean {
  const marked = document.getSelection()
  return element !== null && marked !== null && !marked.isCollapsed && element.contains(marked.anchorNode)
}
