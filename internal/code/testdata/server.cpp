#include "server.h"

namespace net {
namespace detail {

template <typename T, class = std::enable_if_t<(sizeof(T) > 1)>>
class Pool final : public Base<T>, private Other {
 public:
  explicit Pool(int n) : n_{n}, name_("x{") {
    fill();
  }
  ~Pool() override {
    clear();
  }
  Pool& operator=(const Pool& o) {
    n_ = o.n_;
    return *this;
  }
  bool operator()(int x) const noexcept {
    return x > 0;
  }
  operator bool() const { return n_; }
  template <typename U>
  U get(std::vector<std::pair<int, U>> all) const {
    auto f = [&](int i) { return i; };
    return all[f(0)].second;
  }
  virtual void pure() = 0;
  int n() const { return n_; }

 private:
  struct Node {
    int value = 1'000'000;
    Node* next{nullptr};
  };
  int n_;
};

}  // namespace detail

enum class Mode : int {
  kFast,
  kSlow,
};

Server::Server(int port)
    : port_(port),
      pool_(new Pool{1}) {
  start();
}

Server::~Server() {
  stop();
}

template <typename T>
void Server<T>::start(const std::string& name) {
  const char* raw = R"(
void not_this() { "
)";
  run(raw);
}

std::ostream& operator<<(std::ostream& out, const Server& s) {
  return out << s.port();
}

static auto arrow(int x) -> decltype(x) {
  return x;
}

extern "C" {
int exported(void) {
  return 1;
}
}

union Value {
  int i;
  float f;
};

const std::map<int, int> table = {
    {1, 2},
};

}  // namespace net
