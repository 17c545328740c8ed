'use client'

import type { AnyKassaError } from 'kassa'
import Link from 'next/link'
import { explainError } from '../../lib/explainError'

const lost: readonly string[] = ['api.not-found', 'api.unauthorized', 'api.forbidden']

/** Shows while the order loads, or when it could not be loaded. */
export function LoadingView({ error, refetch }: { error: AnyKassaError | null; refetch: () => void }) {
  if (!error) {
    return (
      <div className="notice">
        <span className="spinner" aria-hidden="true" />
        <p className="lead">Opening your order…</p>
      </div>
    )
  }
  if (lost.includes(error.code)) {
    return (
      <div className="notice" role="alert">
        <h1 className="title">This order cannot be opened</h1>
        <p className="lead">The shop does not know it any more, or it was made in another browser.</p>
        <Link className="button" href="/">
          See the editions
        </Link>
      </div>
    )
  }
  return (
    <div className="notice" role="alert">
      <h1 className="title">Your order is safe, but out of reach</h1>
      <p className="lead">{explainError(error)}</p>
      <p className="soft">This page keeps asking by itself.</p>
      <button className="button" type="button" onClick={refetch}>
        Try now
      </button>
    </div>
  )
}
