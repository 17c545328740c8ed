import Link from 'next/link'
import { Empty } from '../../components/shop/Empty'
import { ListPage } from '../../components/shop/ListPage'
import type { ShopOrder } from '../../lib/store/ShopOrder'
import styles from './OrderList.module.css'
import { OrderRow } from './OrderRow'

/** Lists the shop's orders and their states. */
export function OrderList({ orders }: { orders: readonly ShopOrder[] }) {
  return (
    <ListPage title="Orders" count={orders.length === 1 ? '1 order' : `${orders.length} orders`}>
      {orders.length > 0 ? (
        <ol className={styles.list}>
          {orders.map((order) => (
            <li key={order.orderId}>
              <OrderRow order={order} />
            </li>
          ))}
        </ol>
      ) : (
        <Empty>
          <p className="heading">No order yet</p>
          <p className="soft">
            A paid order appears here automatically, and is marked as delivered when all of it has arrived.
          </p>
          <Link className="button" href="/#editions">
            See the editions
          </Link>
        </Empty>
      )}
    </ListPage>
  )
}
