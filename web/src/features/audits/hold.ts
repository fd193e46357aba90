// Decides when the rows may move: not while the reader has scrolled down, selects text, points at rows, or has paused the
// list. Walking the rows with the keyboard holds them too; the page checks that itself.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** A list that is scrolled by no more than this counts as being at the top. */
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
    const update = () => setScrolled(element.scrollTop > TOP_PX)
    element.addEventListener('scroll', update, { passive: true })
    return () => element.removeEventListener('scroll', update)
  }, [list])
  const togglePause = useCallback(() => setPaused((now) => !now), [])
  return { isPaused, togglePause, mayMove: !isPaused && !isScrolled && !isPointing && !isSelecting }
}

function usePointing(list: RefObject<HTMLElement | null>): boolean {
  const [isPointing, setPointing] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => {
    const element = list.current
    if (element === null) return
    const stop = () => setPointing(false)
    const move = ({ pointerType }: PointerEvent) => {
      // A moving finger scrolls; it does not point.
      if (pointerType === 'touch') return
      setPointing(true)
      clearTimeout(timer.current)
      timer.current = setTimeout(stop, POINTING_MS)
    }
    element.addEventListener('pointermove', move, { passive: true })
    element.addEventListener('pointerleave', stop)
    return () => {
      clearTimeout(timer.current)
      element.removeEventListener('pointermove', move)
      element.removeEventListener('pointerleave', stop)
    }
  }, [list])
  return isPointing
}

function useSelecting(list: RefObject<HTMLElement | null>): boolean {
  const [isSelecting, setSelecting] = useState(false)
  useEffect(() => {
    const update = () => setSelecting(hasSelection(list.current))
    document.addEventListener('selectionchange', update)
    return () => document.removeEventListener('selectionchange', update)
  }, [list])
  return isSelecting
}

/** Whether text in the element is selected. */
export function hasSelection(element: HTMLElement | null): boolean {
  const selection = document.getSelection()
  return element !== null && selection !== null && !selection.isCollapsed && element.contains(selection.anchorNode)
}
