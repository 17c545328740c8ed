import type { KeyboardEvent, PointerEvent, ReactElement } from 'react'
import { maxShares, minSizes, type Side } from './layout.js'

/** How far an arrow key moves the edge, in CSS pixels. */
const stepPx = 24

const keys = {
  bottom: { grow: 'ArrowUp', shrink: 'ArrowDown' },
  right: { grow: 'ArrowLeft', shrink: 'ArrowRight' },
}

type Props = {
  side: Side
  /** The panel's size, in CSS pixels. */
  sizePx: number
  /** The id of the panel. */
  controls: string
  onResize(sizePx: number): void
}

/** Renders a `<div>`: the panel's edge, which is moved by pointer and by arrow keys. */
export const Resizer = ({ side, sizePx, controls, onResize }: Props): ReactElement => {
  const min = minSizes[side]
  const max = Math.max(
    min,
    Math.round((side === 'bottom' ? window.innerHeight : window.innerWidth) * maxShares[side]),
  )
  const now = Math.min(max, sizePx)
  const resize = (wanted: number): void => onResize(Math.min(max, Math.max(min, Math.round(wanted))))
  const onKeyDown = (event: KeyboardEvent): void => {
    const { grow, shrink } = keys[side]
    const wanted = { [grow]: now + stepPx, [shrink]: now - stepPx, Home: min, End: max }[event.key]
    if (wanted === undefined) return
    event.preventDefault()
    // The key press must not reach the app.
    event.stopPropagation()
    resize(wanted)
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    resize(side === 'bottom' ? window.innerHeight - event.clientY : window.innerWidth - event.clientX)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: an `<hr>` cannot be moved.
    <div
      role="separator"
      className="resizer"
      aria-label="Size of the devtools"
      aria-orientation={side === 'bottom' ? 'horizontal' : 'vertical'}
      aria-controls={controls}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={now}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
    />
  )
}
