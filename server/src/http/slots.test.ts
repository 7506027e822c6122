import { describe, expect, it } from 'vitest';
import { Refusal } from './refusal.js';
import { Slots } from './slots.js';

/** The number of places that these addresses get, each asking once. */
function takenBy(slots: Slots, addresses: readonly (string | undefined)[]): number {
  return addresses.filter((address) => {
    try {
      slots.take(address);
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(Refusal);
      expect(error).toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 5 });
      return false;
    }
  }).length;
}

const many = (addressOf: (index: number) => string | undefined) =>
  Array.from({ length: 100 }, (_, i) => addressOf(i));

describe('the places for work in progress', () => {
  it.each<[string, (index: number) => string | undefined, number]>([
    ['one IPv4 address', () => '203.0.113.1', 16],
    ['the addresses of an IPv4 /24', (index) => `203.0.113.${index}`, 16],
    ['the /64 networks of an IPv6 /48', (index) => `2001:db8:1:${index}::1`, 16],
    ['addresses of many networks', (index) => `203.0.${index}.1`, 64],
    ['private addresses, which show no network', (index) => `10.0.0.${index}`, 64],
    ['clients whose address nothing shows', () => undefined, 64],
  ])('give %s their part [S54]', (_, addressOf, part) => {
    expect(takenBy(new Slots(64, 'registrations'), many(addressOf))).toBe(part);
  });

  it('leave the others theirs, and are free again once left', () => {
    const slots = new Slots(4, 'registrations');
    const leave = slots.take('203.0.113.1');
    expect(takenBy(slots, ['203.0.113.2'])).toBe(0);
    expect(takenBy(slots, ['198.51.100.1'])).toBe(1);
    leave();
    expect(takenBy(slots, ['203.0.113.2'])).toBe(1);
  });

  it('are one at least for a network', () => {
    expect(takenBy(new Slots(1, 'registrations'), ['203.0.113.1', '198.51.100.1'])).toBe(1);
  });
});
