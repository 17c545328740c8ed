import { type ColumnDef, type RowData, tableFeatures, useTable } from '@tanstack/react-table'

const features = tableFeatures({})

/** A column of a table. */
export type Column<Row extends RowData> = ColumnDef<typeof features, Row>

type DataTableProps<Row extends RowData> = {
  caption: string
  columns: Column<Row>[]
  rows: Row[]
  /** The class of a column's cells, by its id. */
  classes?: Readonly<Record<string, string>>
  getId(row: Row): string
  /** Whether each row is a link. */
  isLinked?: boolean
}

/** Renders a `<table>`. */
export const DataTable = <Row extends RowData>({
  caption,
  columns,
  rows,
  classes = {},
  getId,
  isLinked = false,
}: DataTableProps<Row>) => {
  const table = useTable({ features, columns, data: rows, getRowId: getId })
  return (
    <table className="table" data-linked={isLinked || undefined}>
      <caption className="hidden">{caption}</caption>
      <thead>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id}>
            {group.headers.map((header) => (
              <th key={header.id} scope="col" className={classes[header.column.id]}>
                <table.FlexRender header={header} />
              </th>
            ))}
          </tr>
        ))}
      </thead>
      <tbody>
        {table.getRowModel().rows.map((row) => (
          <tr key={row.id}>
            {row.getAllCells().map((cell) => (
              <td key={cell.id} className={classes[cell.column.id]}>
                <table.FlexRender cell={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
