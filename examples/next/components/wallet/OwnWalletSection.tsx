'use client'

import dynamic from 'next/dynamic'
import type { ProvidersProps } from '../../app/providers'

/** Loads the code of wallets after the page: they are known in the browser only. */
export const OwnWalletSection = dynamic<Omit<ProvidersProps, 'children'>>(
  async () => {
    const [{ Providers }, { OwnWallet }] = await Promise.all([
      import('../../app/providers'),
      import('./OwnWallet'),
    ])
    return (props) => (
      <Providers {...props}>
        <OwnWallet />
      </Providers>
    )
  },
  { ssr: false },
)
