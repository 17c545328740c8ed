'use client'

import { useRouter } from 'next/navigation'
import { useTransition } from 'react'

/** Says that the service does not respond, and retries. */
export function ServiceAway() {
  const router = useRouter()
  const [isPending, startTransition] = useTransition()
  return (
    <div className="notice" role="alert">
      <h2 className="heading">The shop cannot be reached</h2>
      <p className="lead">
        Its service does not answer at the moment. Nothing was lost and nothing was charged; try again
        shortly.
      </p>
      <button
        className="button"
        type="button"
        aria-disabled={isPending}
        onClick={() => startTransition(() => router.refresh())}
      >
        {isPending && <span className="spinner" aria-hidden="true" />}
        Try again
      </button>
    </div>
  )
}
