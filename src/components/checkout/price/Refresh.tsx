'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { getPayAction } from '../payment/payAction.js'
import { useCheckout, useCheckoutStore } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'

export declare namespace CheckoutRefresh {
  /** State of {@link CheckoutRefresh}. */
  export type State = {
    /** Whether a new price is in progress. */
    isPending: boolean
  }

  /** Props of {@link CheckoutRefresh}. */
  export type Props = PartProps<'button', CheckoutRefresh.State>
}

const canRefresh = (value: CheckoutValue): boolean => getPayAction(value) === 'refresh'

const select = (value: CheckoutValue) => {
  const { busy, refresh } = getMessages(value)
  const isPending = Boolean(value.isRefreshing)
  return { isPending, isShown: isPending || canRefresh(value), label: isPending ? busy : refresh }
}

/** Renders a `<button>`. Requests a new price. Absent while the current price is valid. */
export function CheckoutRefresh(props: CheckoutRefresh.Props): ReactElement | null {
  const store = useCheckoutStore('Refresh')
  const { isPending, isShown, label } = useCheckout('Refresh', select)
  const element = useRender(
    'button',
    'refresh',
    props,
    { isPending },
    {
      type: 'button',
      'aria-disabled': isPending || undefined,
      onClick: () => {
        const value = store.get()
        if (!canRefresh(value)) return
        value.reset()
        value.refresh?.()
      },
      children: label,
    },
  )
  return isShown ? element : null
}
