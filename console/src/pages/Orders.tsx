import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type ExportOrdersParameters, listOrders } from 'kassa/api'
import { useState } from 'react'
import { client } from '../api/console.js'
import { Badge } from '../components/Badge.js'
import { Button } from '../components/Button.js'
import { type Column, DataTable } from '../components/DataTable.js'
import { Icon } from '../components/Icon.js'
import { Loaded } from '../components/Loaded.js'
import { Page } from '../components/Page.js'
import { Paging } from '../components/Paging.js'
import { Picture } from '../components/Picture.js'
import { formatMoney, formatTime, shorten } from '../lib/format.js'
import { type MerchantOrder, nameCustomer, readStatus } from '../lib/orderStatus.js'
import { t } from '../messages/index.js'
import { Allowed } from '../shell/Allowed.js'

const s = t.orders
const phases = ['quote', 'payment', 'delivery', 'completed'] as const
type Phase = (typeof phases)[number]

/** The filters of the list, as they stand in the address. */
export type OrderFilters = {
  search?: string
  phase?: Phase
  from?: string
  to?: string
  sort?: 'oldest'
  cursor?: string
}

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)

/** Reads the filters from the address, and leaves out what is none. */
export const readOrderFilters = (search: Record<string, unknown>): OrderFilters => {
  const phase = phases.find((each) => each === search.phase)
  return {
    // A search for digits is read as a number.
    ...(search.search !== undefined && search.search !== '' && { search: String(search.search) }),
    ...(phase && { phase }),
    ...(isDay(search.from) && { from: search.from }),
    ...(isDay(search.to) && { to: search.to }),
    ...(search.sort === 'oldest' && { sort: 'oldest' as const }),
    ...(typeof search.cursor === 'string' && { cursor: search.cursor }),
  }
}

/** Returns the start of a day where the reader is, so many days later. */
const startOf = (day: string, daysLater = 0): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + daysLater).toISOString()
}

const toParameters = ({ search, phase, from, to, sort }: OrderFilters): ExportOrdersParameters => ({
  search,
  phase,
  sort,
  ...(from && { createdFrom: startOf(from) }),
  ...(to && { createdBefore: startOf(to, 1) }),
})

const ordersQuery = (filters: OrderFilters) =>
  queryOptions({
    queryKey: ['orders', filters],
    queryFn: ({ signal }) =>
      listOrders(client, { ...toParameters(filters), cursor: filters.cursor, limit: 25, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })

/** The address of the orders of the list as a file: the browser saves it while it arrives. */
const exportUrl = (filters: OrderFilters): string => {
  const parameters = Object.entries(toParameters(filters)).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  return `/api/2022-06-09/orders.csv?${new URLSearchParams(parameters)}`
}

const nameOrder = ({ lineItems, orderId }: MerchantOrder): string =>
  lineItems[0]?.metadata?.name ?? shorten(orderId)

const Total = ({ order }: { order: MerchantOrder }) => {
  const total = order.quote.totalPrice
  return <span className="figures">{total ? formatMoney(total) : t.none}</span>
}

const OrderCell = ({ order }: { order: MerchantOrder }) => {
  const [first, ...others] = order.lineItems
  const more = others.length ? ` ${s.more(others.length)}` : ''
  return (
    <div className="item">
      <Picture url={first?.metadata?.imageUrl} size="small" />
      <div>
        <Link to="/orders/$orderId" params={{ orderId: order.orderId }} className="row-link">
          {nameOrder(order)}
          {more}
        </Link>
        <span className="soft narrow">{nameCustomer(order) ?? t.none}</span>
        {order.createdAt && <span className="soft narrow">{formatTime(order.createdAt)}</span>}
        <span className="soft mono wide">{shorten(order.orderId)}</span>
      </div>
    </div>
  )
}

const columns: Column<MerchantOrder>[] = [
  { id: 'order', header: s.order, cell: ({ row }) => <OrderCell order={row.original} /> },
  {
    id: 'customer',
    header: s.customer,
    cell: ({ row }) => nameCustomer(row.original) ?? t.none,
  },
  {
    id: 'status',
    header: s.status,
    cell: ({ row }) => {
      const { label, tone } = readStatus(row.original)
      return <Badge tone={tone}>{label}</Badge>
    },
  },
  {
    id: 'created',
    header: s.created,
    cell: ({ row }) => (row.original.createdAt ? formatTime(row.original.createdAt) : t.none),
  },
  {
    id: 'total',
    header: s.total,
    cell: ({ row }) => {
      const { label, tone } = readStatus(row.original)
      return (
        <div className="item-end">
          <Total order={row.original} />
          <span className="narrow">
            <Badge tone={tone}>{label}</Badge>
          </span>
        </div>
      )
    },
  },
]

const classes = {
  customer: 'wide',
  status: 'wide tight',
  created: 'wide tight soft',
  total: 'end tight',
}

/** Renders a table of orders, each row a link to its order. */
export const OrderTable = ({ orders, caption }: { orders: MerchantOrder[]; caption: string }) => (
  <DataTable
    caption={caption}
    columns={columns}
    rows={orders}
    classes={classes}
    getId={({ orderId }) => orderId}
    isLinked
  />
)

const SearchForm = ({ filters }: { filters: OrderFilters }) => {
  const navigate = route.useNavigate()
  const known = filters.search ?? ''
  const [text, setText] = useState(known)
  const [shown, setShown] = useState(known)
  // A search that the address changed is shown in the field.
  if (known !== shown) {
    setShown(known)
    setText(known)
  }
  const search = (next: OrderFilters) =>
    navigate({ search: readOrderFilters({ ...filters, cursor: undefined, ...next }) })
  return (
    <search>
      <form
        className="filters"
        onSubmit={(event) => {
          event.preventDefault()
          void search({ search: text.trim() })
        }}
      >
        <div className="search">
          <Icon name="search" />
          <input
            className="input"
            type="search"
            enterKeyHint="search"
            autoComplete="off"
            spellCheck={false}
            aria-label={s.search}
            placeholder={s.placeholder}
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              if (!event.target.value) void search({ search: '' })
            }}
          />
        </div>
        <Button type="submit">{s.submit}</Button>
        {(['from', 'to'] as const).map((name) => (
          <div className="date" key={name}>
            <label htmlFor={name}>{s[name]}</label>
            <input
              id={name}
              className="input"
              type="date"
              value={filters[name] ?? ''}
              onChange={({ target }) => {
                // A part of a day is no day, and does not take the filter away.
                if (!target.validity.badInput) void search({ [name]: target.value })
              }}
            />
          </div>
        ))}
        <div className="date">
          <label htmlFor="sort">{s.sort}</label>
          <select
            id="sort"
            className="input"
            value={filters.sort ?? 'newest'}
            onChange={({ target }) =>
              void navigate({
                search: readOrderFilters({ ...filters, cursor: undefined, sort: target.value }),
              })
            }
          >
            <option value="newest">{s.sorts.newest}</option>
            <option value="oldest">{s.sorts.oldest}</option>
          </select>
        </div>
      </form>
    </search>
  )
}

const PhaseTabs = ({ filters }: { filters: OrderFilters }) => (
  <nav className="tabs" aria-label={s.filter}>
    {([undefined, ...phases] as const).map((phase) => (
      <Link
        key={phase ?? 'all'}
        to="/orders"
        search={readOrderFilters({ ...filters, cursor: undefined, phase })}
        aria-current={filters.phase === phase ? 'page' : false}
        activeProps={{}}
        resetScroll={false}
      >
        {phase ? t.phases[phase] : s.all}
      </Link>
    ))}
  </nav>
)

const Empty = ({ isFiltered }: { isFiltered: boolean }) => (
  <div className="empty">
    <h2>{isFiltered ? s.notFound : s.empty}</h2>
    <p>{isFiltered ? s.notFoundText : s.emptyText}</p>
    {isFiltered && (
      <Link to="/orders" className="button">
        {s.clear}
      </Link>
    )}
  </div>
)

const route = getRouteApi('/shell/orders')

/** The orders of the shop. */
export const Orders = () => {
  const filters = route.useSearch()
  const query = useQuery(ordersQuery(filters))
  const { search, phase, from, to } = filters
  const isFiltered = [search, phase, from, to].some((filter) => filter !== undefined)
  return (
    <Allowed scope="orders.read">
      <Page
        title={s.title}
        actions={
          <a className="button" href={exportUrl(filters)} download="orders.csv">
            {s.exportAll}
          </a>
        }
      >
        <SearchForm filters={filters} />
        <PhaseTabs filters={filters} />
        <Loaded query={query}>
          {({ data, nextCursor, previousCursor }) => (
            <>
              <div className="card" aria-busy={query.isPlaceholderData}>
                {data.length ? (
                  <OrderTable orders={data} caption={s.title} />
                ) : (
                  <Empty isFiltered={isFiltered} />
                )}
              </div>
              <Paging
                to="/orders"
                search={filters}
                next={nextCursor}
                previous={previousCursor}
                isOldestFirst={filters.sort === 'oldest'}
              />
            </>
          )}
        </Loaded>
      </Page>
    </Allowed>
  )
}
