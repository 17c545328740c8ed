'use client'

import type { Order } from 'kassa'
import { useSwitchChain } from 'wagmi'
import { useCheckoutShop } from '../../lib/checkoutShop'

/** Asks the wallet to switch to the payment's network. */
export function SwitchNetwork({ order, onSwitched }: { order: Order; onSwitched: () => void }) {
  const { networks } = useCheckoutShop()
  const { mutate, isPending } = useSwitchChain()
  const network = networks.find(({ name }) => name === order.payment.method)
  if (!network) return null
  return (
    <button
      className="button"
      type="button"
      aria-disabled={isPending}
      onClick={() => !isPending && mutate({ chainId: network.chainId }, { onSuccess: onSwitched })}
    >
      {isPending && <span className="spinner" aria-hidden="true" />}
      Switch to {network.label}
    </button>
  )
}
