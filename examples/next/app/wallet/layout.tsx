import type { ReactNode } from 'react'
import { Sentences } from '../../components/shop/Sentences'

/** Gives the pages of the wallet their sentences. */
export default function WalletLayout({ children }: { children: ReactNode }) {
  return (
    <Sentences of={['common', 'credential', 'send', 'signIn', 'trouble', 'wallet', 'wallets']}>
      {children}
    </Sentences>
  )
}
