'use client'

import type { ReactElement } from 'react'
import { type Connector, useConnect } from 'wagmi'
import type { Connecting } from '../wallet/connecting.js'

type ConnectEvmProps = {
  connector: Connector
  onConnected(account: string | undefined): void
  children(connecting: Connecting): ReactElement
}

/** Renders no element. Connects a wallet through wagmi. */
export function ConnectEvm({ connector, onConnected, children }: ConnectEvmProps): ReactElement {
  const { connect, isPending, isError, error } = useConnect({
    mutation: {
      onSuccess: ({ accounts }) => {
        const [account] = accounts
        onConnected(typeof account === 'string' ? account : undefined)
      },
    },
  })
  return children({ isPending, isError, error, connect: () => connect({ connector }) })
}
