import { updateCollection } from 'kassa/api'
import type { Collection } from 'kassa/schema'
import { useState } from 'react'
import { client } from '../../api/console.js'
import { useReadAgain } from '../../api/developers.js'
import { OptionalField } from '../../components/Field.js'
import { FormDialog } from '../../components/FormDialog.js'
import { useToast } from '../../components/Toast.js'
import { t } from '../../messages/index.js'
import { CodeRow } from './CodeRow.js'
import { PhaseRow } from './PhaseRow.js'
import { Rows } from './Rows.js'
import { addCode, addPhase, limits, listSaleChanges, readSale, type SaleFields } from './saleFields.js'

const s = t.sale

/** Renders a `<button>` that changes the rules of a collection's sale. */
export const SaleDialog = ({ collection }: { collection: Collection }) => {
  const [before, setBefore] = useState(() => readSale(collection))
  const [fields, setFields] = useState(before)
  const say = useToast()
  const readAgain = useReadAgain()
  const currency = collection.payments?.currency?.toUpperCase() ?? s.coin
  const open = () => {
    setBefore(readSale(collection))
    setFields(readSale(collection))
  }
  const set = (change: Partial<SaleFields>) => setFields((known) => ({ ...known, ...change }))
  const save = async () => {
    const sale = listSaleChanges(before, fields)
    if (Object.keys(sale).length) {
      await updateCollection(client, { collectionId: collection.id, body: { sale } })
      say(s.saved)
    }
    await readAgain('collection', collection.id)
  }
  return (
    <FormDialog
      label={s.edit}
      size="small"
      title={s.title}
      text={s.text}
      action={s.save}
      onOpen={open}
      run={save}
    >
      <div className="fields">
        <OptionalField
          label={s.startsAt}
          name="startsAt"
          none={s.noStart}
          type="datetime-local"
          value={fields.startsAt}
          onValue={(startsAt) => set({ startsAt })}
        />
        <OptionalField
          label={s.endsAt}
          name="endsAt"
          none={s.noEnd}
          type="datetime-local"
          value={fields.endsAt}
          onValue={(endsAt) => set({ endsAt })}
        />
      </div>
      <fieldset className="choices">
        <legend className="label">{s.most}</legend>
        <p className="hint">{s.mostText}</p>
        <div className="fields">
          {limits.map((limit) => (
            <OptionalField
              key={limit}
              label={s.mostBy[limit]}
              name={`most-${limit}`}
              none={t.noLimit}
              inputMode="numeric"
              value={fields.most[limit]}
              onValue={(value) => set({ most: { ...fields.most, [limit]: value } })}
            />
          ))}
        </div>
      </fieldset>
      <Rows
        legend={s.phases}
        text={s.phasesText}
        add={s.addPhase}
        rows={fields.phases}
        onRows={(phases) => set({ phases })}
        onAdd={() => set({ phases: addPhase(fields.phases) })}
        remove={(position) => s.removePhase(position)}
        title={(position) => s.phase(position)}
      >
        {(phase, onPhase, position) => <PhaseRow phase={phase} isFirst={position === 1} onPhase={onPhase} />}
      </Rows>
      <Rows
        legend={s.codes}
        text={s.codesText}
        add={s.addCode}
        rows={fields.codes}
        onRows={(codes) => set({ codes })}
        onAdd={() => set({ codes: addCode(fields.codes) })}
        remove={(position) => s.removeCode(position)}
        title={(position) => s.code(position)}
      >
        {(code, onCode) => <CodeRow code={code} currency={currency} onCode={onCode} />}
      </Rows>
    </FormDialog>
  )
}
