'use client'

import { lazy, Suspense } from 'react'
import { useTranslations } from 'use-intl'
import type { SeriesButtonProps } from './SeriesButton'

const Button = lazy(() =>
  import('./SeriesButton').then(
    (module) => ({ default: module.SeriesButton }),
    () => ({ default: NotLoaded }),
  ),
)

/** Orders a whole cart. The code that creates an order loads after the page: the button is far down. */
export function BuySeries(props: SeriesButtonProps) {
  return (
    <Suspense>
      <Button {...props} />
    </Suspense>
  )
}

function NotLoaded() {
  return <p className="soft">{useTranslations('buy')('notLoaded')}</p>
}
