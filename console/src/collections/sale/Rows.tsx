import { type ReactNode, useRef } from 'react'
import { Button } from '../../components/Button.js'
import { t } from '../../messages/index.js'

type RowsProps<Row extends { key: number }> = {
  legend: string
  text: string
  /** The label of the button that adds a row. */
  add: string
  rows: readonly Row[]
  onRows(rows: Row[]): void
  onAdd(): void
  /** The title of a row, and the name of the button that removes it, by its position from 1 on. */
  title(position: number): string
  remove(position: number): string
  children(row: Row, onRow: (change: Partial<Row>) => void, position: number): ReactNode
}

/** Renders a `<fieldset>` with a group of fields for each row, and a button that adds one. */
export const Rows = <Row extends { key: number }>({ legend, text, add, rows, ...props }: RowsProps<Row>) => {
  const { onRows, onAdd, title, remove, children } = props
  const list = useRef<HTMLFieldSetElement>(null)
  const change = (key: number) => (changed: Partial<Row>) =>
    onRows(rows.map((row) => (row.key === key ? { ...row, ...changed } : row)))
  const take = (key: number) => {
    onRows(rows.filter((row) => row.key !== key))
    // The button that was pressed is gone.
    list.current?.querySelector<HTMLElement>('[data-add]')?.focus()
  }
  return (
    <fieldset className="choices" ref={list}>
      <legend className="label">{legend}</legend>
      <p className="hint">{text}</p>
      {rows.map((row, index) => (
        <fieldset className="group" key={row.key}>
          <legend className="hidden">{title(index + 1)}</legend>
          <div className="group-head">
            <span className="soft" aria-hidden="true">
              {title(index + 1)}
            </span>
            <Button size="small" aria-label={remove(index + 1)} onClick={() => take(row.key)}>
              {t.sale.remove}
            </Button>
          </div>
          {children(row, change(row.key), index + 1)}
        </fieldset>
      ))}
      <div>
        <Button size="small" data-add onClick={onAdd}>
          {add}
        </Button>
      </div>
    </fieldset>
  )
}
