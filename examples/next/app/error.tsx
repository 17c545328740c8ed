'use client'

import Link from 'next/link'

/** The page for errors on the shop's side. */
export default function ErrorPage({ retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return (
    <div className="notice" role="alert">
      <h1 className="title">Something went wrong here</h1>
      <p className="lead">
        This page could not be shown. An order you have made is not affected: open its page again and it goes
        on where it was.
      </p>
      <button className="button" type="button" onClick={retry}>
        Try again
      </button>
      <Link href="/">See the editions</Link>
    </div>
  )
}
