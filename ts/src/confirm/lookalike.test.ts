import { describe, expect, it } from 'vitest';
import { looksLike } from './lookalike.js';

const HEX = `abcd${'1'.repeat(56)}ef01`;

describe('an account that looks like a known one (core 2)', () => {
  it.each([
    ['reads the same', 'b0b.near', 'bob.near'],
    ['reads the same in two letters', 'rnartin.near', 'martin.near'],
    ['reads the same in many places', 'a1ice-c1ub.near', 'alice_club.near'],
    ['has 0 for o', 'c0c0.near', 'coco.near'],
    ['has 1 and i for l', '1i1a.near', 'llla.near'],
    ['has 5 for s', 'a55et.near', 'asset.near'],
    ['has 2 for z', 'ja22.near', 'jazz.near'],
    ['has 8 for b', '8ar8ara.near', 'barbara.near'],
    ['has 9 for g', 'pi99y.near', 'piggy.near'],
    ['has q for g', 'piqqy.near', 'piggy.near'],
    ['has rn for m', 'rnorn.near', 'mom.near'],
    ['has vv for w', 'vvovv.near', 'wow.near'],
    ['has cl for d', 'clacl.near', 'dad.near'],
    ['reads the same but for one letter', 'a1icxe.near', 'alice.near'],
    ['has two letters swapped that read as one', 'lcara.near', 'clara.near'],
    ['has one letter more', 'bobb.near', 'bob.near'],
    ['has one letter less', 'bo.near', 'bob.near'],
    ['has another letter', 'bab.near', 'bob.near'],
    ['has two letters swapped', 'obb.near', 'bob.near'],
    ['lacks a separator', 'usdttether-token.near', 'usdt.tether-token.near'],
    ['is under another parent', 'alice.tg', 'alice.near'],
    ['is below a parent of its own', 'alice.mallory.near', 'alice.near'],
    ['reads the same under another parent', 'a1ice.tg', 'alice.near'],
    ['has the parent in its name', 'alice-near.near', 'alice.near'],
    ['has an affix in front', 'my-alice.near', 'alice.near'],
    ['has an affix in front, without a separator', 'myalice.near', 'alice.near'],
    ['has an affix in front of three letters', 'mybob.near', 'bob.near'],
    ['has any word in front, with a separator', 'rosy-alice.near', 'alice.near'],
    ['has an affix behind', 'alice_savings.near', 'alice.near'],
    ['has an affix behind, without a separator', 'alicepay.near', 'alice.near'],
    ['has a number behind', 'alice2026.near', 'alice.near'],
    ['lacks an affix', 'alice.near', 'my-alice.near'],
    ['has separators added', 'a-l-i-c-e.near', 'alice.near'],
    ['lacks separators', 'teammarypeter.near', 'team-mary-peter.near'],
    ['has separators in other places', 'usdt-tether-token.near', 'usdt.tethertoken.near'],
    ['has separators in other places of its whole name', 'a-b-cd-ef.near', 'abcd.ef.near'],
    ['goes on after it', 'bob.near.mallory.near', 'bob.near'],
    ['goes on after a role', 'token.paras.near.mallory.near', 'token.paras.near'],
    ['ends in a role', 'superdao.tg', 'superdao.near'],
    ['begins with a role', 'daolens.tg', 'daolens.near'],
    ['has the ends of an implicit id', `abcd${'2'.repeat(56)}ef01`, HEX],
    ['has the ends of an Ethereum-like id', `0xabcd${'2'.repeat(32)}ef01`, `0xabcd${'3'.repeat(32)}ef01`],
  ])('%s: %s for %s', (_, id, known) => {
    expect(looksLike(id, ['carol.near', known])).toBe(known);
  });

  it.each([
    ['the known one', 'bob.near', ['b0b.near', 'bob.near']],
    ['two letters away', 'bill.near', ['bob.near']],
    ['one letter replaced by two', 'bxyb.near', ['bob.near']],
    ['two letters replaced by one', 'bxk.near', ['book.near']],
    ['two letters swapped and one more', 'cobxd.near', ['cbod.near']],
    ['two letters swapped and one less', 'cbod.near', ['cobxd.near']],
    ['two letters replaced by their second and another', 'xaby.near', ['xbcy.near']],
    ['two letters replaced by another and their first', 'xaby.near', ['xcay.near']],
    ['a short name twice', 'abab.near', ['ab.near']],
    ['a part of a longer one', 'dao.near', ['dao.near-dao.near']],
    ['a sub-account', 'app.bob.near', ['bob.near']],
    ['a contract of the same role', 'token.burrow.near', ['token.paras.near']],
    ['another version of a role', 'v2.keypom.near', ['v2.ref-finance.near']],
    ['another version of two digits', 'v12.keypom.near', ['v12.ref-finance.near']],
    ['another contract of the same number', '2024.keypom.near', ['2024.ref-finance.near']],
    ['a longer name that begins alike', 'alexander.near', ['alexa.near']],
    ['a longer name that ends in an affix', 'alicexpay.near', ['alice.near']],
    ['a longer name with an affix in it', 'alicepayx.near', ['alice.near']],
    ['a longer name with a short one in it', 'al-gore.near', ['al.near']],
    ['a name that shares an affix', 'my-carol.near', ['my-alice.near']],
    ['an implicit id with one other end', `abcd${'1'.repeat(56)}ef02`, [HEX]],
    [
      'an Ethereum-like id with one other end',
      `0xabef${'2'.repeat(32)}ef01`,
      [`0xabcd${'2'.repeat(32)}ef01`],
    ],
    ['below an Ethereum-like id', `abcd.0x${'2'.repeat(36)}ef01`, [`0xabcd${'3'.repeat(32)}ef01`]],
    ['an Ethereum-like id with more behind', `0xabcd${'2'.repeat(36)}.ef01`, [`0xabcd${'3'.repeat(32)}ef01`]],
    ['a name next to an implicit id', 'abcd.near', [HEX]],
    ['anything, while nothing is known', 'bob.near', []],
  ])('is not %s', (_, id, known) => {
    expect(looksLike(id, known)).toBeUndefined();
  });
});
