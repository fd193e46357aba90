// When the rows must not move: while the reader has scrolled down, selects text, points at rows, walks them with the
// keyboard, or has paused the list.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

const TOP_PX = 4
/** A pointer that has not moved for this long no longer holds the list. */
const POINTING_MS = 1_500

export function useHold(list: RefObject<HTMLElement | null>) {
  const [isPaused, setPaused] = useState(false)
  const [isScrolled, setScrolled] = useState(false)
  const isPointing = usePointing(list)
  const isSelecting = useSelecting(list)
  useEffect(() => {
    const element = list.current
    if (element === null) return
    const look = () => setScrolled(element.scrollTop > TOP_PX)
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [list])
  const togglePause = useCallback(() => setPaused((now) => !now), [])
  return { isPaused, togglePause, isDisturbable: !isPaused && !isScrolled && !isPointing && !isSelecting }
}

function usePointing(list: RefObject<HTMLElement | null>): boolean {
  const [isPointing, setPointing] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => {
    const element = list.current
    if (element === null) return
    const rest = () => setPointing(false)
    const move = ({ pointerType }: PointerEvent) => {
      // A moving finger scrolls; it does not point.
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

function useSelecting(list: RefObject<HTMLElement | null>): boolean {
  const [isSelecting, setSelecting] = useState(false)
  useEffect(() => {
    const look = () => setSelecting(hasSelection(list.current))
    document.addEventListener('selectionchange', look)
    return () => document.removeEventListener('selectionchange', look)
  }, [list])
  return isSelecting
}

/** Whether text in the element is selected. */
export function hasSelection(element: HTMLElement | null): boolean {
  const selection = document.getSelection()
  return element !== null && selection !== null && !selection.isCollapsed && element.contains(selection.anchorNode)
}
