import type { Order } from 'kassa/schema'
import { Card } from '../components/Card.js'
import { Facts } from '../components/Facts.js'
import { Reference } from '../components/Reference.js'
import { formatTime, wordFor } from '../lib/format.js'
import { t } from '../messages/index.js'

const s = t.order

const Address = ({ order }: { order: Order }) => {
  const address = order.lineItems[0]?.delivery.recipient?.physicalAddress
  if (!address) return null
  const { name, line1, line2, city, state, postalCode, country } = address
  const place = [postalCode, city, state].filter(Boolean).join(' ')
  return (
    <Card title={s.address}>
      <address className="card-body">
        {[name, line1, line2, place, country].filter(Boolean).map((line) => (
          <div key={line}>{line}</div>
        ))}
      </address>
    </Card>
  )
}

/** Who bought, and for whom: what the shop knows of the recipient. */
export const BuyerCards = ({ order }: { order: Order }) => {
  const { email, walletAddress } = order.lineItems[0]?.delivery.recipient ?? {}
  const { receiptEmail } = order.payment
  return (
    <>
      <Card title={s.customer}>
        <div className="card-body">
          <Facts
            isStacked
            of={[
              [s.email, email],
              [s.receipt, receiptEmail !== email && receiptEmail],
              [s.wallet, walletAddress && <Reference value={walletAddress} what={s.wallet} />],
              [s.language, order.locale],
            ]}
          />
        </div>
      </Card>
      <Address order={order} />
      {order.gift && (
        <Card title={s.gift}>
          <div className="card-body">
            <Facts
              isStacked
              of={[
                [s.giver, order.gift.giverName],
                [s.note, order.gift.note],
              ]}
            />
          </div>
        </Card>
      )}
    </>
  )
}

/** The quote of an order, and what the shop stored with it. */
export const QuoteCards = ({ order }: { order: Order }) => {
  const { quote, metadata, orderId } = order
  return (
    <>
      <Card title={s.quote}>
        <div className="card-body">
          <Facts
            isStacked
            of={[
              [t.orders.status, wordFor(t.quotes, quote.status)],
              [s.quoted, quote.quotedAt && formatTime(quote.quotedAt)],
              [s.expires, order.phase === 'payment' && quote.expiresAt && formatTime(quote.expiresAt)],
              [s.promotion, quote.promotion?.code],
              [s.id, <Reference key="id" value={orderId} what={s.id} />],
            ]}
          />
        </div>
      </Card>
      {metadata && Object.keys(metadata).length > 0 && (
        <Card title={s.metadata}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
          <pre className="json" tabIndex={0}>
            {JSON.stringify(metadata, null, 2)}
          </pre>
        </Card>
      )}
    </>
  )
}
