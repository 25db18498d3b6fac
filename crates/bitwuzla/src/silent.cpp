// In place of `util/logger.cpp` of Bitwuzla, which writes warnings to the standard output of the process, and from
// several threads to the same stream: nothing is written.

#include "util/logger.h"

#include <ostream>

namespace bzla::util {

Logger::Line::Line(uint64_t, const char *) : d_flags() {}

Logger::Line::~Line() {}

std::ostream &
Logger::Line::stream()
{
  thread_local std::ostream nowhere(nullptr);
  return nowhere;
}

Logger::Logger(uint64_t, uint64_t, const std::string &)
    : d_log_level(0), d_verbosity_level(0)
{
}

bool
Logger::is_msg_enabled(uint64_t)
{
  return false;
}

bool
Logger::is_log_enabled(uint64_t)
{
  return false;
}

Logger::Line
Logger::log(uint64_t level)
{
  return Line(level);
}

Logger::Line
Logger::msg(uint64_t level)
{
  return Line(level);
}

Logger::Line
Logger::warn()
{
  return Line(1);
}

void
Logger::set_verbosity_level(uint64_t)
{
}

}  // namespace bzla::util
