'use client'

import { type ReactElement, useState } from 'react'
import { CheckoutTransfer } from './Transfer.js'
import { useTransferPart } from './useTransferPart.js'

/**
 * Offers to pay from another device, where the order can be paid so. The code is drawn once the buyer opens it.
 *
 * @param isOnlyWay - Whether no wallet can pay here, so that it opens by itself.
 */
export function TransferDetails({ isOnlyWay }: { isOnlyWay: boolean }): ReactElement | null {
  const { transfer, messages } = useTransferPart('Panel')
  const [toggled, setToggled] = useState<boolean>()
  const isOpen = toggled ?? isOnlyWay
  return transfer.status === 'unavailable' ? null : (
    <details
      data-kassa="transfer-details"
      open={isOpen}
      onToggle={({ currentTarget }) => setToggled(currentTarget.open)}
    >
      <summary>{messages.transfer}</summary>
      {isOpen && <CheckoutTransfer />}
    </details>
  )
}
