'use client'

import { shorten } from '../../lib/shorten'

/** Shows an address or hash shortened. Pointers and screen readers get the full value. */
export function Address({ value }: { value: string }) {
  return (
    <span className="code" title={value}>
      <span aria-hidden="true">{shorten(value)}</span>
      <span className="hidden">{value}</span>
    </span>
  )
}
