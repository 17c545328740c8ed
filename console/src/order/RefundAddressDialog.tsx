import { editOrder } from 'kassa/api'
import type { Order } from 'kassa/schema'
import { useState } from 'react'
import { client } from '../api/console.js'
import { useRefresh } from '../api/order.js'
import { Field } from '../components/Field.js'
import { FormDialog } from '../components/FormDialog.js'
import { useToast } from '../components/Toast.js'
import { formatChain, formatMoney } from '../lib/format.js'
import { readFields } from '../lib/readFields.js'
import { t } from '../messages/index.js'

const s = t.refundAddress

/** Renders a `<button>` that names where a refund goes that a contract paid. */
export const RefundAddressDialog = ({ order: { orderId, payment } }: { order: Order }) => {
  const say = useToast()
  const refresh = useRefresh(orderId)
  const [address, setAddress] = useState('')
  const held = payment.refundHeld
  const amount = held ? formatMoney(held) : ''
  const chain = formatChain(held?.chain ?? payment.method ?? '')
  const name = async () => {
    const refundAddress = address.trim()
    readFields(({ refuse }) => refundAddress || refuse('refundAddress', s.needed))
    await editOrder(client, { orderId, body: { payment: { refundAddress } } })
    say(s.done(amount))
    await refresh()
  }
  return (
    <FormDialog
      label={s.open}
      title={s.title}
      text={s.text(amount, chain)}
      action={s.confirm}
      onOpen={() => setAddress('')}
      run={name}
    >
      <Field
        name="refundAddress"
        label={s.label}
        value={address}
        onValue={setAddress}
        required
        spellCheck={false}
      />
    </FormDialog>
  )
}
