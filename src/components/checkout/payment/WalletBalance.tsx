'use client'

import type { ReactElement } from 'react'
import { ofFamily } from '../../../schema/chains.js'
import { EvmBalance } from '../evm/EvmBalance.js'
import { SolanaBalance } from '../solana/SolanaBalance.js'
import type { BalanceProps } from './held.js'

const balances = { evm: EvmBalance, solana: SolanaBalance }

/** Renders no element. Reads the connected wallet's balance of the currency that an order is paid in. */
export function WalletBalance(props: BalanceProps): ReactElement {
  const Balance = ofFamily(balances, props.payment.method)
  return <Balance {...props} />
}
