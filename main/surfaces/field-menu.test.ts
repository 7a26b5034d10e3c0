import { beforeAll, expect, it } from 'vitest'
import { loadTexts, type Texts } from '../../text/index.ts'
import { fieldMenu } from './field-menu.ts'

let texts: Texts
beforeAll(async () => {
  texts = await loadTexts('de')
})
const editFlags = {
  canCut: false,
  canCopy: false,
  canPaste: true,
  canSelectAll: true,
  canDelete: true,
  canUndo: true,
  canRedo: true,
  canEditRichly: false,
}

it('offers in a field what can be done there, in the user’s words', () => {
  const menu = fieldMenu(texts.shell, { isEditable: true, editFlags })
  expect(menu.map(({ label, enabled }) => [label, enabled])).toEqual([
    ['Ausschneiden', false],
    ['Kopieren', false],
    ['Einsetzen', true],
    [undefined, undefined],
    ['Alles auswählen', true],
  ])
})

it('offers nothing anywhere else, whatever could be copied there', () => {
  expect(fieldMenu(texts.shell, { isEditable: false, editFlags: { ...editFlags, canCopy: true } })).toEqual([])
})
