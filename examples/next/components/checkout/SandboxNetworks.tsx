'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useCheckoutShop } from '../../lib/checkoutShop'
import type { ChainFamily } from '../../lib/networks'
import { shorten } from '../../lib/shorten'
import { requestTestFunds } from '../../lib/testFunds'
import { AddressForm } from './AddressForm'
import styles from './PayView.module.css'

/**
 * What a buyer's own wallet needs to pay in the sandbox: its networks, which share only their names with public ones,
 * and test funds.
 */
export function SandboxNetworks({ family, chain }: { family: ChainFamily; chain: string | undefined }) {
  const t = useTranslations('wallets')
  const { networks } = useCheckoutShop()
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles.networks} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('ownTitle')}</summary>
      <p>{family === 'solana' ? t('ownSolana') : t('ownEthereum')}</p>
      <dl>
        {networks
          .filter((network) => network.family === family)
          .map((network) => (
            <div key={network.name}>
              <dt>
                {network.family === 'evm'
                  ? t('chainId', { network: network.label, id: String(network.chainId) })
                  : t('localnet', { network: network.label })}
              </dt>
              <dd className="code">{network.rpcUrl}</dd>
            </div>
          ))}
      </dl>
      {isOpen && chain && <FundsForm family={family} chain={chain} />}
    </details>
  )
}

function FundsForm({ family, chain }: { family: ChainFamily; chain: string }) {
  const t = useTranslations('wallets')
  const checkout = useTranslations('checkout')
  const { sandboxUrl } = useCheckoutShop()
  const fund = useMutation({
    mutationFn: async (address: string) => {
      if (sandboxUrl) await requestTestFunds(sandboxUrl, { chain, address })
    },
  })
  return (
    <div className={styles.funds}>
      <AddressForm
        family={family}
        submit={checkout('testFunds')}
        isPending={fund.isPending}
        onSubmit={fund.mutate}
      />
      <p role="status">{fund.isSuccess && t('fundsSent', { address: shorten(fund.variables) })}</p>
      {fund.error && (
        <p className="alert" role="alert">
          {checkout('noTestFunds')}
        </p>
      )}
    </div>
  )
}
