import type { Order } from 'kassa/schema'
import { Badge } from '../components/Badge.js'
import { Card } from '../components/Card.js'
import { Facts } from '../components/Facts.js'
import { Reference } from '../components/Reference.js'
import { formatChain, formatMoney, formatTime, wordFor } from '../lib/format.js'
import { isZero, readPayment } from '../lib/orderStatus.js'
import { t } from '../messages/index.js'

const s = t.order

/** How an order is paid: by whom, on which chain, with which transaction, and what can be refunded. */
export const PaymentCard = ({ order }: { order: Order }) => {
  const payment = readPayment(order)
  const { received, balances, status, method, failureReason, captureBefore, preparation } = payment
  const { refundHeld, refundAddress } = payment
  const currency = received?.currency ?? payment.currency ?? ''
  const money = (amount: string) => <span className="figures">{formatMoney({ amount, currency })}</span>
  const payer = preparation?.payerAddress
  return (
    <Card
      title={s.payment}
      actions={
        <Badge tone={status === 'completed' ? 'good' : status === 'in-progress' ? 'info' : 'neutral'}>
          {wordFor(t.payments, status)}
        </Badge>
      }
    >
      <div className="card-body">
        <Facts
          of={[
            [s.received, received && money(received.amount)],
            [s.refunded, balances && !isZero(balances.refunded) && money(balances.refunded)],
            [
              s.held,
              refundHeld && (
                <>
                  <span className="figures">{formatMoney(refundHeld)}</span>{' '}
                  {refundHeld.reason && <span className="soft">{wordFor(t.holds, refundHeld.reason)}</span>}
                </>
              ),
            ],
            [s.refundAddress, refundAddress && <Reference value={refundAddress} what={s.refundAddress} />],
            [s.refundable, balances && !isZero(balances.refundable) && money(balances.refundable)],
            [s.captureBefore, captureBefore && formatTime(captureBefore)],
            [s.failure, failureReason && wordFor(t.failures, failureReason.code)],
            [s.method, method && formatChain(method)],
            [s.payer, payer && <Reference value={payer} what={s.payer} />],
            [
              s.transaction,
              received?.txId && (
                <Reference
                  value={received.txId}
                  what={s.transaction}
                  chain={received.chain ?? method}
                  isTransaction
                />
              ),
            ],
          ]}
        />
      </div>
    </Card>
  )
}
