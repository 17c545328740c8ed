'use client'

import { shorten } from '../../lib/shorten'

/** An address or hash: short to read, whole to a pointer and to a screen reader. */
export function Address({ value }: { value: string }) {
  return (
    <span className="code" title={value}>
      <span aria-hidden="true">{shorten(value)}</span>
      <span className="hidden">{value}</span>
    </span>
  )
}
