-- Something of everything: arithmetic, strings, tables, closures, coroutines, errors, patterns, metatables.
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
print("fib", fib(20))

local primes, sieve = {}, {}
for i = 2, 200 do
  if not sieve[i] then
    primes[#primes + 1] = i
    for j = i * i, 200, i do sieve[j] = true end
  end
end
print("primes", table.concat(primes, " "))

print("floats", 0.1 + 0.2, 1 / 3, 2 ^ 0.5, -7 // 2, -7 % 3, 7.5 // 2, math.floor(-3.5), math.pi)
print("ints", 1 << 62, 0xff ~ 0x0f, ~0, 5 // 0.0, math.maxinteger + 1 == math.mininteger, 7 & 3 | 8)
print("strings", ("hello world"):gsub("o", "0"), ("%5.2f|%-5s|%x"):format(3.14159, "ab", 255))
print("find", ("key = value"):find("(%w+)%s*=%s*(%w+)"))
for word in ("the quick brown fox"):gmatch("%a+") do io.write(word:upper(), ",") end
print()

local Point = {}
Point.__index = Point
Point.__add = function(a, b) return setmetatable({ x = a.x + b.x, y = a.y + b.y }, Point) end
Point.__tostring = function(p) return "(" .. p.x .. ", " .. p.y .. ")" end
print("meta", tostring(setmetatable({ x = 1, y = 2 }, Point) + setmetatable({ x = 3, y = 4 }, Point)))

local produce = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i * i) end return "end" end)
print("coroutine", produce(), produce(), produce(), produce())

print("errors", pcall(function() error({ code = 7 }) end), select(2, pcall(error, "message", 0)))
print("closing", pcall(function() local t = nil; return t.x end))

local t = { 5, 2, 8, 1, 9, 3 }
table.sort(t, function(a, b) return a > b end)
print("sorted", table.unpack(t))
goto done
print("never")
::done::
print("utf8", utf8.char(72, 228, 8364), utf8.len("häß"), #"häß")
print("integer loop", (function() local s = 0 for i = 10, 1, -3 do s = s + i end return s end)())
print("varargs", select("#", nil, nil), (select(-1, 1, 2, 3)))
local big = {}
for i = 1, 1000 do big[i] = i .. ":" .. (i * 7919 % 1009) end
print("big", #table.concat(big, ";"))
collectgarbage()
print("load", load("return 6 * 7")())
