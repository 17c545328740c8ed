'use client'

import { useMutation } from '@tanstack/react-query'
import { type Order, useOrder, useRefreshOrder } from 'kassa'
import { useConnection } from 'wagmi'
import { useCheckoutShop } from '../../lib/checkoutShop'
import { requestTestFunds } from '../../lib/testFunds'
import type { OrderAccess } from './OrderCheckout'

/** Requests test funds for the connected account. It shows only in a sandbox. */
export function FundsButton(props: { access: OrderAccess; order: Order; onFunded: () => void }) {
  const { access, order, onFunded } = props
  const { sandboxUrl } = useCheckoutShop()
  const { address } = useConnection()
  const { refetch } = useOrder(access)
  const refresh = useRefreshOrder(access)
  const chain = order.payment.method
  const fund = useMutation({
    mutationFn: async () => {
      if (!sandboxUrl || !chain || !address) return
      await requestTestFunds(sandboxUrl, chain, address)
      // The service checks the balance periodically; requesting a price makes it check at once.
      await refresh.mutateAsync().catch(() => refetch())
    },
    onSuccess: onFunded,
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
        Get test funds
      </button>
      {fund.error && (
        <p className="alert" role="alert">
          The sandbox gave no test funds: its service does not answer. Try again in a moment.
        </p>
      )}
    </>
  )
}
