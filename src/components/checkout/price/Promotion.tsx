'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import type { Known, PromotionStatus } from '../../../schema/index.js'
import { useCheckout } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'

export declare namespace CheckoutPromotion {
  /** State of {@link CheckoutPromotion}. */
  export type State = {
    code: string | undefined
    /** What became of the code when the order was quoted. */
    status: Known<PromotionStatus> | undefined
  }

  /** Props of {@link CheckoutPromotion}. */
  export type Props = PartProps<'span', CheckoutPromotion.State>
}

const select = (value: CheckoutValue) => {
  const { code, status } = value.order?.quote.promotion ?? {}
  return { code, status, ended: getMessages(value).promotionEnded }
}

/**
 * Renders a `<span>`. Shows the promotion code that lowers the price, or that it no longer does. Absent if the order
 * has none.
 */
export function CheckoutPromotion(props: CheckoutPromotion.Props): ReactElement | null {
  const { ended, ...state } = useCheckout('Promotion', select)
  const element = useRender('span', 'promotion', props, state, {
    children: state.status === 'applied' ? state.code?.toUpperCase() : ended,
  })
  return state.code === undefined ? null : element
}
