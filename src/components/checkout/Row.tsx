'use client'

import type { ComponentProps } from 'react'

/** Renders a `<p>`: an amount that may be absent, in a row of the panel's sums. */
export function Row({ label, props }: { label?: string; props: ComponentProps<'span'> }) {
  return (
    <p data-kassa="sum">
      {label} <span {...props} />
    </p>
  )
}
