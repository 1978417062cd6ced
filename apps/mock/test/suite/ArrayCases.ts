/** The arrays of the suite, the filters that find them, and their order. */
import type { Json } from "@mfgdata/domain/Json"

/** Arrays in their wire form. */
export const texts: ReadonlyArray<string> = [
  "[]",
  '["a","b c"]',
  '["",null,"null","NULL"]',
  "[0,-1,2.5,1e+21,5e-324,61098214627622510,123456789.12345679,1.7976931348623157e+308]",
  "[true,false,null]",
  '[{"z":1,"a":{"":[]}},{"__proto__":{"x":1}},{}]',
  '[[],[[1,"2"],[null]],[[[{"a":[[]]}]]]]',
  '["\\u0001\\u001f","\\"\\\\/","👩🏽‍🔧 e\u0301","\u2028\u2029\ufeff"]',
  `${"[".repeat(500)}${"]".repeat(500)}`
]

/** The arrays that filters search for. */
export const elements: ReadonlyArray<Json> = [
  ["a", "b"],
  [1, "a", true],
  ["1", "true", "null"],
  [null],
  [{ x: 1, y: [1, 2] }, { x: 2 }],
  [[1, 2], [3]],
  [],
  null,
  [{ y: [1, 2], x: 1 }, { x: 2 }],
  [false, 0, 1.5]
]

/** More values than PostgreSQL compares one after another. */
const many = Array.from({ length: 100 }, (_, index) => index + 1).join(",")

/** A filter of `tags`, or of a path in it, and the rows that it finds. */
export const filters: ReadonlyArray<readonly [filter: string, found: string]> = [
  ["tags=cs.{a}", "0,1"],
  ["tags=cs.{1}", "2"],
  ["tags=cs.[1]", "1"],
  ["tags=cs.[true]", "1"],
  ['tags=cs.["true"]', "2"],
  ["tags=cs.[null]", "3"],
  ['tags=cs.["null"]', "2"],
  ["tags=cs.[0,false]", "9"],
  ["tags=cs.[]", "0,1,2,3,4,5,6,8,9"],
  ["tags=not.cs.[1]", "0,2,3,4,5,6,8,9"],
  ['tags=cs.[{"x":1}]', "4,8"],
  ['tags=cs.[{"y":[2]},{"x":2}]', "4,8"],
  ['tags=cs.[{"x":3}]', ""],
  ["tags=cs.[[2]]", "5"],
  ["tags=cs.[[2,3]]", ""],
  ["tags=cd.{a,b,c}", "0,6"],
  ['tags=cd.[1,"a",true,null]', "1,3,6"],
  ['tags=cd.[{"x":1,"y":[1,2,3],"z":0},{"x":2}]', "4,6,8"],
  ['tags=cd.[{"x":1},{"x":2}]', "6"],
  ["tags=cd.[[1,2,3],[3]]", "5,6"],
  ["tags=cd.[1,2,3]", "6"],
  ["tags=cd.[]", "6"],
  ["tags=not.cd.[]", "0,1,2,3,4,5,8,9"],
  ["tags=ov.{b,1}", "0,2"],
  ["tags=ov.[1]", "1"],
  ['tags=ov.[null,"b"]', "0,3"],
  ["tags=ov.[1.50,true]", "1,9"],
  ['tags=ov.[{"y":[1,2],"x":1}]', "4,8"],
  ['tags=ov.[{"x":1}]', ""],
  ["tags=ov.[[3],[[4]]]", "5"],
  ["tags=ov.[[2,1]]", ""],
  ["tags=ov.[]", ""],
  ["tags=not.ov.[1]", "0,2,3,4,5,6,8,9"],
  ["tags=eq.{a,b}", "0"],
  ['tags=eq.["b","a"]', ""],
  ['tags=eq.[1.0, "a", true]', "1"],
  ["tags=eq.[]", "6"],
  ["tags=eq.{}", "6"],
  ['tags=eq.[{"x":1,"y":[1,2]},{"x":2}]', "4,8"],
  ['tags=neq.[{"x":1,"y":[1,2]},{"x":2}]', "0,1,2,3,5,6,9"],
  ['tags=isdistinct.[{"x":1,"y":[1,2]},{"x":2}]', "0,1,2,3,5,6,7,9"],
  ['tags=in.("{a,b}","[[1,2],[3]]","[{\\"x\\":1,\\"y\\":[1,2]},{\\"x\\":2}]")', "0,4,5,8"],
  ['tags=not.in.("[{\\"x\\":1}]")', "0,1,2,3,4,5,6,8,9"],
  ["tags=is.null", "7"],
  ["tags=not.is.null", "0,1,2,3,4,5,6,8,9"],
  ["tags->0=eq.1", "1"],
  ['tags->0=eq."1"', "2"],
  ["tags->0=eq.null", "3"],
  ["tags->0=neq.null", "0,1,2,4,5,8,9"],
  ["tags->0=isdistinct.null", "0,1,2,4,5,6,7,8,9"],
  ["tags->0=is.null", "6,7"],
  ["tags->>0=is.null", "3,6,7"],
  ['tags->0=eq.{"y":[1,2],"x":1}', "4,8"],
  ["tags->0=eq.[1,2]", "5"],
  ['tags->0=in.("[1,2]","{\\"x\\":1,\\"y\\":[1,2]}",null,1)', "1,3,4,5,8"],
  [`tags->0=in.(${many})`, "1"],
  [`tags->0=not.in.(${many})`, "0,2,3,4,5,8,9"],
  [`tags->>0=in.(${many})`, "1,2"],
  ["tags->-1=eq.true", "1"],
  ["tags->-1->0=eq.3", "5"],
  ["tags->-1->>x=eq.2", "4,8"],
  ["tags->0->>x=eq.1", "4,8"],
  ["tags->0->y=cs.2", "4,8"],
  ["tags->0->y=cd.[1,2,[3]]", "4,8"],
  ["tags->>0=eq.1", "1,2"],
  ["tags->>0=like.*:1*", "4,8"],
  ["tags->0=gt.0", "1,4,5,8,9"]
]

/** Refused filters, with the code. */
export const refused: ReadonlyArray<readonly [filter: string, status: number, code: string]> = [
  ["tags=gt.{a}", 404, "42883"],
  ["tags->0=gt.[1]", 404, "42883"],
  ["tags->0=lt.null", 404, "42883"],
  ["tags=eq.null", 400, "22P02"],
  ["tags=cs.[1", 400, "22P02"],
  ['tags=cs.["\\u0000"]', 400, "22P02"],
  ['tags=ov.["\\ud800"]', 400, "22P02"],
  [`tags=cs.${"[".repeat(600)}${"]".repeat(600)}`, 400, "22P02"],
  ['tags=cs.[{"a":[{"b":1}]}]', 400, "PGRST127"],
  ["tags=cd.[[[1]]]", 400, "PGRST127"]
]

/** The values of a column in their order: arrays and objects sort by the bytes of their text. */
export const ordered: ReadonlyArray<string> = [
  '["B"]',
  '["a","b"]',
  '["a"]',
  '["é"]',
  '["😀"]',
  "[1,2]",
  "[10]",
  "[2]",
  "[[]]",
  "[]",
  "[null]",
  "[true]",
  '[{"a":1}]',
  "[{}]"
]

/** The values of a path into JSON in their order: null, text, number, boolean, array, object. */
export const places: ReadonlyArray<string> = [
  "null",
  '""',
  '"B"',
  '"a"',
  '"é"',
  "-1",
  "2",
  "10",
  "false",
  "true",
  '["a"]',
  "[10]",
  "[2]",
  '{"a":2}',
  '{"b":1}'
]
