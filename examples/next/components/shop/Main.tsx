'use client'

import { usePathname } from 'next/navigation'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { focusHeading } from '../../lib/focusHeading'

/** The main content of a page. After a client-side navigation its heading takes the focus. */
export function Main({ children }: { children: ReactNode }) {
  const pathname = usePathname()
  const main = useRef<HTMLElement>(null)
  const last = useRef(pathname)
  useLayoutEffect(() => {
    if (main.current && last.current !== pathname) focusHeading(main.current)
    last.current = pathname
  }, [pathname])
  return (
    <main ref={main} className="page" id="content" tabIndex={-1}>
      {children}
    </main>
  )
}
