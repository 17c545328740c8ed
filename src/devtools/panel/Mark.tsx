import type { ReactElement } from 'react'

/** Renders the `<svg>` of the panel's sign: a receipt. */
export const Mark = (): ReactElement => (
  <svg className="mark" width="16" height="16" viewBox="0 0 16 16" fill="none" aria-hidden="true">
    <path
      d="M3 1.75h10v12.5l-2.5-1.6L8 14.25l-2.5-1.6L3 14.25zM5.75 5.25h4.5M5.75 8.5h4.5"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinejoin="round"
      strokeLinecap="round"
    />
  </svg>
)
