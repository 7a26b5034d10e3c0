import { expect, it } from 'vitest'
import { Openings } from './openings.ts'

it('each is asked for with a higher number, and none outlives the window', () => {
  const openings = new Openings()
  expect(openings.view).toBeUndefined()
  openings.ask('settings')
  expect(openings.view).toEqual({ screen: 'settings', number: 1 })
  openings.ask('signIn')
  expect(openings.view).toEqual({ screen: 'signIn', number: 2 })
  openings.forget()
  expect(openings.view).toBeUndefined()
  openings.ask('settings')
  expect(openings.view).toEqual({ screen: 'settings', number: 3 })
})
