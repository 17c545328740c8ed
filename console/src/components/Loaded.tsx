import type { UseQueryResult } from '@tanstack/react-query'
import { isKassaError } from 'kassa/api'
import type { ReactNode } from 'react'
import { describeError } from '../lib/describeError.js'
import { t } from '../messages/index.js'
import { Button } from './Button.js'

type LoadedProps<Data> = { query: UseQueryResult<Data>; children(data: Data): ReactNode }

/** Renders what a query has loaded, or that it loads, or why it could not. */
export const Loaded = <Data,>({ query, children }: LoadedProps<Data>) => {
  if (query.data !== undefined) return children(query.data)
  if (query.isPending)
    return (
      <p className="quiet" aria-busy="true">
        {t.loading}
      </p>
    )
  if (isKassaError(query.error, 'api.not-found')) {
    return (
      <div className="empty" role="alert">
        <h2>{t.missing.title}</h2>
        <p>{t.missing.text}</p>
      </div>
    )
  }
  return (
    <div className="empty" role="alert">
      <h2>{t.failed}</h2>
      <p>{describeError(query.error)}</p>
      <Button onClick={() => query.refetch()}>{t.retry}</Button>
    </div>
  )
}
