import { t } from '../messages/index.js'
import { Button } from './Button.js'

type PagerProps = {
  /** From 1 on. */
  page: number
  /** Whether there may be another page. */
  isMore: boolean
  onPage(page: number): void
}

/** Renders buttons to the pages before and after that of a list. */
export const Pager = ({ page, isMore, onPage }: PagerProps) => {
  if (page === 1 && !isMore) return null
  return (
    <nav className="paging" aria-label={t.pages}>
      {page > 1 && <Button onClick={() => onPage(page - 1)}>{t.previous}</Button>}
      {isMore && <Button onClick={() => onPage(page + 1)}>{t.next}</Button>}
    </nav>
  )
}
