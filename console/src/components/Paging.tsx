import { Link } from '@tanstack/react-router'
import { t } from '../messages/index.js'

type PagingProps = {
  to: '/orders' | '/audit-log'
  /** The filters of the list. */
  search: object
  next: string | undefined
  previous: string | undefined
  isOldestFirst?: boolean
}

/** Renders links to the pages before and after that of a list. */
export const Paging = ({ to, search, next, previous, isOldestFirst = false }: PagingProps) => {
  if (!next && !previous) return null
  return (
    <nav className="paging" aria-label={t.pages}>
      {previous && (
        <Link to={to} search={{ ...search, cursor: previous }} className="button" activeProps={{}}>
          {isOldestFirst ? t.older : t.newer}
        </Link>
      )}
      {next && (
        <Link to={to} search={{ ...search, cursor: next }} className="button" activeProps={{}}>
          {isOldestFirst ? t.newer : t.older}
        </Link>
      )}
    </nav>
  )
}
