import Link from 'next/link'
import { KeepFresh } from '../../components/shop/KeepFresh'
import type { ShopOrder } from '../../lib/store/ShopOrder'
import styles from './OrderList.module.css'
import { OrderRow } from './OrderRow'

/** The orders of the shop, and what became of them. */
export function OrderList({ orders }: { orders: readonly ShopOrder[] }) {
  return (
    <div className={styles.box}>
      <div className={styles.head}>
        <h1 className="title">Orders</h1>
        <p className="small soft" role="status">
          {orders.length === 1 ? '1 order' : `${orders.length} orders`}
        </p>
      </div>
      <KeepFresh />
      {orders.length > 0 ? (
        <ol className={styles.list}>
          {orders.map((order) => (
            <li key={order.orderId}>
              <OrderRow order={order} />
            </li>
          ))}
        </ol>
      ) : (
        <div className={styles.empty}>
          <p className="heading">No order yet</p>
          <p className="soft">
            Once somebody has paid for an order it appears here by itself, and is marked as shipped when all
            of it is delivered.
          </p>
          <Link className="button" href="/#editions">
            See the editions
          </Link>
        </div>
      )}
    </div>
  )
}
