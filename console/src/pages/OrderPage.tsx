import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Order } from 'kassa/schema'
import { orderQuery } from '../api/order.js'
import { Badge } from '../components/Badge.js'
import { Icon } from '../components/Icon.js'
import { Loaded } from '../components/Loaded.js'
import { Page } from '../components/Page.js'
import { formatMoney, shorten, wordFor } from '../lib/format.js'
import { nameCustomer, readStatus } from '../lib/orderStatus.js'
import { t } from '../messages/index.js'
import { Actions } from '../order/Actions.js'
import { BuyerCards, QuoteCards } from '../order/BuyerCards.js'
import { ItemsCard } from '../order/ItemsCard.js'
import { PaymentCard } from '../order/PaymentCard.js'
import { RefundsCard } from '../order/RefundsCard.js'
import { ShipmentsCard } from '../order/ShipmentsCard.js'
import { TimelineCard } from '../order/TimelineCard.js'
import { Allowed } from '../shell/Allowed.js'

const describe = (order: Order): string => {
  const total = order.quote.totalPrice
  const parts = [total && formatMoney(total), wordFor(t.phases, order.phase), nameCustomer(order)]
  return parts.filter(Boolean).join(' · ')
}

const route = getRouteApi('/shell/orders/$orderId')

/** An order, and what the reader may do with it. */
export const OrderPage = () => {
  const { orderId } = route.useParams()
  const query = useQuery(orderQuery(orderId))
  const order = query.data
  const status = order && readStatus(order)
  const crumb = (
    <Link to="/orders" className="crumb">
      <Icon name="left" />
      {t.order.back}
    </Link>
  )
  return (
    <Allowed scope="orders.read">
      <Page
        title={t.order.title(shorten(orderId))}
        text={order && describe(order)}
        crumb={crumb}
        mark={status && <Badge tone={status.tone}>{status.label}</Badge>}
        actions={order && <Actions order={order} />}
      >
        <Loaded query={query}>
          {(known) => (
            <div className="columns">
              <div className="column">
                <ItemsCard order={known} />
                <ShipmentsCard order={known} />
                <PaymentCard order={known} />
                <RefundsCard orderId={orderId} />
                <TimelineCard orderId={orderId} />
              </div>
              <div className="column">
                <BuyerCards order={known} />
                <QuoteCards order={known} />
              </div>
            </div>
          )}
        </Loaded>
      </Page>
    </Allowed>
  )
}
