'use client'

import { useMutation } from '@tanstack/react-query'
import { type Order, useOrder, useRefreshOrder } from 'kassa'
import { useTranslations } from 'use-intl'
import { useCheckoutShop } from '../../lib/checkoutShop'
import { requestTestFunds } from '../../lib/testFunds'
import { useWallets } from '../../lib/useWallets'
import type { OrderAccess } from './OrderCheckout'

type Props = {
  access: OrderAccess
  order: Order
  onFunded: (() => void) | undefined
}

/** Requests test funds for the connected account. It shows only in a sandbox. */
export function FundsButton({ access, order, onFunded }: Props) {
  const t = useTranslations('checkout')
  const { sandboxUrl } = useCheckoutShop()
  const { refetch } = useOrder(access)
  const refresh = useRefreshOrder(access)
  const chain = order.payment.method
  const { address } = useWallets(chain)
  const fund = useMutation({
    mutationFn: async () => {
      if (!sandboxUrl || !chain || !address) return
      await requestTestFunds(sandboxUrl, { chain, address, least: order.quote.totalPrice })
      // The service checks the balance periodically; requesting a price makes it check at once.
      await refresh.mutateAsync().catch(() => refetch())
    },
    onSuccess: () => onFunded?.(),
  })
  if (!sandboxUrl) return null
  return (
    <>
      <button
        className="button"
        type="button"
        aria-disabled={fund.isPending}
        onClick={() => !fund.isPending && fund.mutate()}
      >
        {fund.isPending && <span className="spinner" aria-hidden="true" />}
        {t('testFunds')}
      </button>
      {fund.error && (
        <p className="alert" role="alert">
          {t('noTestFunds')}
        </p>
      )}
    </>
  )
}
