import { useQuery } from '@tanstack/react-query'
import type { Refund } from 'kassa/schema'
import { refundsQuery } from '../api/order.js'
import { Badge } from '../components/Badge.js'
import { Card } from '../components/Card.js'
import { Loaded } from '../components/Loaded.js'
import { Reference } from '../components/Reference.js'
import { formatMoney, formatTime, wordFor } from '../lib/format.js'
import type { Tone } from '../lib/orderStatus.js'
import { t } from '../messages/index.js'

const tones: Readonly<Record<string, Tone>> = {
  succeeded: 'good',
  pending: 'info',
  held: 'warn',
  claimable: 'warn',
  failed: 'bad',
}

const Row = ({ refund }: { refund: Refund }) => (
  <li>
    <div>
      <p>
        <span className="strong figures">{formatMoney(refund)}</span>{' '}
        <Badge tone={tones[refund.status] ?? 'neutral'}>{wordFor(t.refundStatuses, refund.status)}</Badge>
      </p>
      <p className="soft">
        {[wordFor(t.causes, refund.cause), refund.createdAt && formatTime(refund.createdAt)]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {refund.reason && <p>{refund.reason}</p>}
    </div>
    {refund.txId && (
      <Reference value={refund.txId} what={t.order.transaction} chain={refund.chain} isTransaction />
    )}
  </li>
)

/** The refunds of an order, the merchant's and those of the service. It is absent while there are none. */
export const RefundsCard = ({ orderId }: { orderId: string }) => {
  const query = useQuery(refundsQuery(orderId))
  if (query.data?.data.length === 0) return null
  return (
    <Card title={t.order.refunds}>
      <Loaded query={query}>
        {({ data }) => (
          <ul className="rows">
            {data.map((refund) => (
              <Row key={refund.refundId} refund={refund} />
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}
