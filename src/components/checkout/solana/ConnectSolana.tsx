'use client'

import { useMutation } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useSolanaWallets } from '../../../hooks/solana/useSolanaWallets.js'
import type { SolanaWallet } from '../../../pay/solanaPayments.js'
import type { Connecting } from '../wallet/connecting.js'

type ConnectSolanaProps = {
  connector: SolanaWallet
  onConnected(account: string | undefined): void
  children(connecting: Connecting): ReactElement
}

/** Renders no element. Connects a wallet of the Wallet Standard. */
export function ConnectSolana({ connector, onConnected, children }: ConnectSolanaProps): ReactElement {
  const { connect } = useSolanaWallets()
  const { mutate, isPending, isError, error } = useMutation({
    mutationFn: () => connect(connector),
    onSuccess: onConnected,
  })
  return children({ isPending, isError, error, connect: () => mutate() })
}
