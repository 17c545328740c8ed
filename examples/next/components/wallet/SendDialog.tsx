'use client'

import type { Wallet, WalletToken } from 'kassa/schema'
import { createTransfer, type SendParams, type TransactionStep, useTransaction } from 'kassa/wallet'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { type Address, parseEther } from 'viem'
import { Dialog } from './Dialog'
import { SendActions } from './SendActions'
import { SendConfirm } from './SendConfirm'
import { SendForm } from './SendForm'
import { SendProgress } from './SendProgress'
import { TokenSubject } from './TokenSubject'
import type { OtherWallet } from './WalletSection'

/** Props of {@link SendDialog}. */
export type SendDialogProps = {
  token: WalletToken
  wallet: Wallet
  other: OtherWallet | undefined
  /** Called with whether the token was sent. */
  onClose: (isGone: boolean) => void
}

/**
 * The highest fee a wallet pays to send a token when the shop does not sponsor it. A fixed limit, because
 * this page queries no node.
 */
const terms = { maxFeeWei: parseEther('0.001') }

const over: readonly TransactionStep['status'][] = ['succeeded', 'failed', 'awaiting-approval']

const findTitle = (step: TransactionStep) => {
  switch (step.status) {
    case 'succeeded':
      return 'sent'
    case 'failed':
      return step.isOutcomeKnown ? 'notSent' : 'wasItSent'
    case 'unanswered':
      return 'wasItSent'
    default:
      return 'sending'
  }
}

/** Sends a token: asks for the recipient, confirms, and tracks the transaction. */
export function SendDialog({ token, wallet, other, onClose }: SendDialogProps) {
  const t = useTranslations('send')
  const walletLocator = `me:${wallet.type}`
  const { step, send, approve, reset } = useTransaction({ walletLocator, name: token.locator, terms })
  const [recipient, setRecipient] = useState<Address>()
  const [isChosen, setChosen] = useState(false)
  const [asked, setAsked] = useState<SendParams>()
  const isAsking = step.status === 'idle'
  const close = (): void => {
    // Resets after a transaction that ended, or that was never signed, so that the token can be sent
    // elsewhere. A pending one is kept.
    if (over.includes(step.status)) reset()
    onClose(step.status === 'succeeded')
  }
  const ask = (params: SendParams): void => {
    setAsked(params)
    void send(params)
  }
  const confirm = (): void => {
    const params = recipient && createTransfer({ token, from: wallet, to: recipient })
    if (params) ask(params)
  }
  const title = !isAsking ? findTitle(step) : isChosen ? 'confirmTitle' : 'title'
  return (
    <Dialog title={t(title)} onClose={close}>
      <TokenSubject token={token} />
      {isAsking && !(isChosen && recipient) && (
        <SendForm
          owner={wallet.address}
          other={other}
          initial={recipient ?? ''}
          onSubmit={(address) => {
            setRecipient(address)
            setChosen(true)
          }}
          onCancel={close}
        />
      )}
      {isAsking && isChosen && recipient && (
        <SendConfirm
          token={token}
          wallet={wallet}
          recipient={recipient}
          onBack={() => setChosen(false)}
          onConfirm={confirm}
        />
      )}
      {!isAsking && (
        <>
          <SendProgress step={step} chain={token.chain} isByPasskey={wallet.type === 'evm-smart-wallet'} />
          <SendActions step={step} asked={asked} ask={ask} approve={approve} reset={reset} close={close} />
        </>
      )}
    </Dialog>
  )
}
