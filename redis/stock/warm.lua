#!lua flags=allow-key-locking
--[[
  warm: set a sale's definition in Redis, and create its stock where that is asked for.

  KEYS[1] stock:{<sale>:0}    hash   total, booked, stockRevision, change; version; the other fields of
                                     the definition; variants; of each variant total:<id>, booked:<id>
  ARGV[1] total               units; used only when there is no stock yet. Empty: a missing stock
                              stays missing
  ARGV[2] version             of the definition that follows
  ARGV[3] definition          fields and values as JSON (stock-definition.ts)
  ARGV[4] last change         number of the last stock change that total contains, 0 for none
  ARGV[5] variants            [{"id", "units"}], which are total together; [] for a sale without variants

  Reply {code, version, total, booked}    the version and the counters now in force
    1 warmed          the stock was created
    2 defined         the stock existed and its counters did not change
    3 superseded      a newer version is in force: nothing changed
   10 unknown-sale    the stock is missing and was not to be created; nothing more

  Variants divide the units of the sale: each has counters of its own beside those of the whole,
  which every script changes together with these. `variants` are their ids as JSON.

  Counters belong to the running sale: only the first call sets them, so a repeated or late call
  cannot return a sold unit. Every call writes the whole definition, and only over the same or an
  older version. So calls may arrive late, twice or out of order, and the newest version applies in
  all its fields. A frozen stock stays frozen.
]]
local stored = redis.call('HMGET', KEYS[1], 'total', 'booked', 'version')
local total, booked, version = stored[1], tonumber(stored[2]), tonumber(stored[3])
if not total and ARGV[1] == '' then return {10} end
if version and tonumber(ARGV[2]) < version then return {3, version, total, booked} end

local fields = {}
local function set(field, value)
  fields[#fields + 1] = field
  fields[#fields + 1] = value
end
for field, value in pairs(cjson.decode(ARGV[3])) do set(field, value) end
if not total then
  for field, value in pairs({total = ARGV[1], booked = '0', stockRevision = '0', change = ARGV[4]}) do set(field, value) end
  local ids = {}
  for at, variant in ipairs(cjson.decode(ARGV[5])) do
    ids[at] = variant.id
    set('total:' .. variant.id, variant.units)
    set('booked:' .. variant.id, 0)
  end
  if ids[1] then set('variants', cjson.encode(ids)) end
end
redis.call('HSET', KEYS[1], unpack(fields))
if total then return {2, tonumber(ARGV[2]), total, booked} end
return {1, tonumber(ARGV[2]), ARGV[1], 0}
