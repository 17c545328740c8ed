import type { Tone } from '../lib/orderStatus.js'

/** Renders a `<span>` with a status. */
export const Badge = ({ tone = 'neutral', children }: { tone?: Tone; children: string }) => (
  <span className="badge" data-tone={tone}>
    {children}
  </span>
)
