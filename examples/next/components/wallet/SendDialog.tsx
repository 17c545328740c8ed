'use client'

import type { Wallet, WalletToken } from 'kassa/schema'
import { createTransfer, type SendParams, type TransactionStep, useTransaction } from 'kassa/wallet'
import { useState } from 'react'
import { type Address, parseEther } from 'viem'
import { Dialog } from './Dialog'
import { SendActions } from './SendActions'
import { SendConfirm } from './SendConfirm'
import { SendForm } from './SendForm'
import { SendProgress } from './SendProgress'
import { TokenSubject } from './TokenSubject'
import type { OtherWallet } from './WalletSection'

/** What {@link SendDialog} takes. */
export type SendDialogProps = {
  token: WalletToken
  wallet: Wallet
  other: OtherWallet | undefined
  /** Hears whether the token has gone. */
  onClose: (isGone: boolean) => void
}

/** The most that a wallet pays to send a token, where the shop does not pay: this page asks no node of its own. */
const terms = { maxFeeWei: parseEther('0.001') }

const over: readonly TransactionStep['status'][] = ['succeeded', 'failed', 'awaiting-approval']

const titles: Partial<Record<TransactionStep['status'], string>> = {
  succeeded: 'Sent',
  failed: 'Not sent',
  unanswered: 'Was it sent?',
}

const findTitle = (step: TransactionStep): string =>
  step.status === 'failed' && !step.isOutcomeKnown ? 'Was it sent?' : (titles[step.status] ?? 'Sending…')

/** Sends a token on: asks where to, shows it once more, and follows it until it is there. */
export function SendDialog({ token, wallet, other, onClose }: SendDialogProps) {
  const walletLocator = `me:${wallet.type}`
  const { step, send, approve, reset } = useTransaction({ walletLocator, name: token.locator, terms })
  const [recipient, setRecipient] = useState<Address>()
  const [isChosen, setChosen] = useState(false)
  const [asked, setAsked] = useState<SendParams>()
  const isAsking = step.status === 'idle'
  const close = (): void => {
    // What has ended is forgotten, and what nobody has signed: the token may be sent somewhere else. What is under way
    // is not to be forgotten.
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
  const title = !isAsking ? findTitle(step) : isChosen ? 'Send it to this address?' : 'Send this token'
  return (
    <Dialog title={title} onClose={close}>
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
