import type { Metadata } from 'next'
import Link from 'next/link'

export const metadata: Metadata = { title: 'Not found' }

/** The page for unknown addresses. */
export default function NotFound() {
  return (
    <div className="notice">
      <h1 className="title">There is nothing at this address</h1>
      <p className="lead">The edition may have been withdrawn, or the link may be mistyped.</p>
      <Link className="button" href="/">
        See the editions
      </Link>
    </div>
  )
}
