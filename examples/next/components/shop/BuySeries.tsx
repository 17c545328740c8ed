'use client'

import { lazy, Suspense } from 'react'
import { useTranslations } from 'use-intl'
import type { SeriesButtonProps } from './SeriesButton'

const Button = lazy(() =>
  import('./SeriesButton').then(
    (module) => ({ default: module.SeriesButton }),
    () => ({ default: ButtonAway }),
  ),
)

/** Orders a whole cart. What creates an order in the browser loads after the page, which it stands at the end of. */
export function BuySeries(props: SeriesButtonProps) {
  return (
    <Suspense>
      <Button {...props} />
    </Suspense>
  )
}

function ButtonAway() {
  return (
    <p className="alert" role="alert">
      {useTranslations('buy')('away')}
    </p>
  )
}
