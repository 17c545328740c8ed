'use client'

import type { Order } from 'kassa'
import { useTranslations } from 'use-intl'
import { useSwitchChain } from 'wagmi'
import { useCheckoutShop } from '../../lib/checkoutShop'
import type { EvmNetwork } from '../../lib/networks'

/** Asks the wallet to switch to the payment's network. */
export function SwitchNetwork({ order, onSwitched }: { order: Order; onSwitched: () => void }) {
  const t = useTranslations('checkout')
  const { networks, sandboxUrl } = useCheckoutShop()
  const network = networks.find(({ name }) => name === order.payment.method)
  if (!network) return null
  if (network.family === 'evm') return <SwitchButton network={network} onSwitched={onSwitched} />
  // A Solana wallet changes its cluster in its own settings only.
  return <p className="small soft">{t('chooseCluster', { cluster: sandboxUrl ? 'localnet' : 'mainnet' })}</p>
}

function SwitchButton({ network, onSwitched }: { network: EvmNetwork; onSwitched: () => void }) {
  const t = useTranslations('checkout')
  const { mutate, isPending } = useSwitchChain()
  return (
    <button
      className="button"
      data-look="main"
      type="button"
      aria-disabled={isPending}
      onClick={() => !isPending && mutate({ chainId: network.chainId }, { onSuccess: onSwitched })}
    >
      {isPending && <span className="spinner" aria-hidden="true" />}
      {t('switchTo', { network: network.label })}
    </button>
  )
}
