'use client'

import { useState } from 'react'
import type { AnyKassaError } from '../../errors/index.js'
import type { UseOrderResult } from '../../hooks/useOrder.js'

/**
 * The error of reading an order, as it is to be shown. While nothing has come yet, TanStack drops the error at
 * each new try; shown like that, the same failure would be announced again with every try.
 *
 * @returns The first error of a row with the same code; undefined once a read went well.
 */
export const useSteadyError = ({ error, isPending }: UseOrderResult): AnyKassaError | undefined => {
  const [shown, setShown] = useState<AnyKassaError>()
  const isSame = error ? error.code === shown?.code : isPending
  const steady = isSame ? shown : (error ?? undefined)
  if (steady !== shown) setShown(steady)
  return steady
}
