'use client'

import type { ReactElement } from 'react'
import { EvmBalance } from '../evm/EvmBalance.js'
import { SolanaBalance } from '../solana/SolanaBalance.js'
import type { BalanceProps } from './held.js'

/** Renders no element. Reads the connected wallet's balance of the currency that an order is paid in. */
export function WalletBalance(props: BalanceProps): ReactElement {
  const Balance = props.payment.method === 'solana' ? SolanaBalance : EvmBalance
  return <Balance {...props} />
}
