'use client'

import { type ReactElement, useState } from 'react'
import { CheckoutTransfer } from './Transfer.js'
import { useTransferPart } from './useTransferPart.js'

/** Offers to pay from another device, where the order can be paid so. The code is drawn once the buyer opens it. */
export function TransferDetails(): ReactElement | null {
  const { transfer, messages } = useTransferPart('Panel')
  const [isOpen, setOpen] = useState(false)
  return transfer.status === 'unavailable' ? null : (
    <details data-kassa="transfer-details" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{messages.transfer}</summary>
      {isOpen && <CheckoutTransfer />}
    </details>
  )
}
