'use client'

import type { ReactElement, ReactNode } from 'react'
import type { UseTransferResult } from '../../../hooks/useTransfer.js'
import { type PartProps, useRender } from '../../../internal/render.js'
import { CheckoutRefresh } from '../price/Refresh.js'
import { describeError } from '../progress/describeError.js'
import { CheckoutOpenInWallet } from './OpenInWallet.js'
import { CheckoutTransferCopy } from './TransferCopy.js'
import { CheckoutTransferQr } from './TransferQr.js'
import { CheckoutTransferValue } from './TransferValue.js'
import { type TransferPart, useTransferPart } from './useTransferPart.js'

export declare namespace CheckoutTransfer {
  /** State of {@link CheckoutTransfer}. */
  export type State = {
    status: UseTransferResult['status']
    /** The chain by the interface's name. */
    chain: string | undefined
    /** Whether the amount may also be sent to an address by hand. */
    isByHand: boolean
  }

  /** Props of {@link CheckoutTransfer}. */
  export type Props = PartProps<'section', CheckoutTransfer.State>
}

/**
 * Renders a `<section>`. Pays the order from a wallet that is not connected to this page, such as one on a phone: a QR
 * code, a link, and the address to send to where one is enough. While a payment of the connected wallet may be on its way, it
 * says so instead, and while the price has expired it offers a new one. Absent once the order is paid, and where a
 * transfer cannot be checked or attributed to the order: without the provider's `contracts`, and on Solana without
 * `operator`.
 *
 * @example
 * ```tsx
 * import { Checkout } from 'kassa'
 *
 * export const FromPhone = () => (
 *   <details>
 *     <summary>Pay from another device</summary>
 *     <Checkout.Transfer />
 *   </details>
 * )
 * ```
 */
export function CheckoutTransfer(props: CheckoutTransfer.Props): ReactElement | null {
  const part = useTransferPart('Transfer')
  const { status } = part.transfer
  const state = { status, chain: part.chain, isByHand: part.request?.address !== undefined }
  const own = { 'aria-label': part.messages.transfer, children: <Content {...part} /> }
  const element = useRender('section', 'transfer', props, state, own)
  return status === 'unavailable' ? null : element
}

function Content({ transfer, config, ...part }: TransferPart) {
  const { messages } = part
  switch (transfer.status) {
    case 'refused':
      return <p role="alert">{describeError(transfer.error, messages, config)}</p>
    case 'busy':
      return <p>{messages.transferBusy}</p>
    case 'expired':
      return (
        <>
          <p>{messages.expired}</p>
          <CheckoutRefresh />
        </>
      )
    case 'loading':
      return (
        <>
          <CheckoutTransferQr />
          <p>{messages.busy}</p>
        </>
      )
    default:
      return <Request {...part} />
  }
}

function Request({ request, messages, say }: Pick<TransferPart, 'request' | 'messages' | 'say'>) {
  const isByHand = request?.address !== undefined
  return (
    <>
      <CheckoutTransferQr />
      <div data-kassa="transfer-text">
        <CheckoutOpenInWallet />
        <dl data-kassa="transfer-facts">
          <Fact term={messages.network}>
            <CheckoutTransferValue of="network" />
          </Fact>
          <Fact term={messages.amount}>
            <CheckoutTransferValue of="amount" /> <CheckoutTransferCopy of="amount" />
          </Fact>
          {isByHand && (
            <Fact term={messages.address}>
              <CheckoutTransferValue of="address" /> <CheckoutTransferCopy of="address" />
            </Fact>
          )}
        </dl>
        <p data-kassa="transfer-note">{say(isByHand ? messages.transferExact : messages.transferCall)}</p>
      </div>
    </>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}
